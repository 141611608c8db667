"""The loop, whole: every model of every method is trained here.

Nothing random survives a step. The order of an epoch is a function of (seed, epoch), and everything drawn in a step, dropout
included, a function of (seed, step, process). So a checkpoint needs no generator's state, and a run that was killed ends with
the same weights as one that was not.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from accelerate.utils import gather_object
from torch import Tensor, nn
from torch.optim import AdamW
from torch.utils import deterministic

from gleanner.errors import InputError
from gleanner.evaluation.scores import score_arrays
from gleanner.evaluation.spans import SpanArrays
from gleanner.model.compact import compact
from gleanner.model.dropout import quick_dropout
from gleanner.model.feed import Batch, Feed
from gleanner.model.precision import autocast
from gleanner.model.tagger import PIECES, Tagger
from gleanner.training import checkpoint, trackers
from gleanner.training.rates import parameter_groups, rate_factor
from gleanner.training.reporter import Reporter
from gleanner.training.scores import Scores
from gleanner.training.settings import Training
from gleanner.training.stage import Loss, Progress, Sampler, Stage


class StageModel(nn.Module):
    """One forward pass from a batch to its loss, so that several processes can share the gradient."""

    def __init__(self, tagger: Tagger, sampler: Sampler, loss: Loss) -> None:
        super().__init__()
        self.tagger, self.sampler, self.loss = tagger, sampler, loss

    def forward(self, batch: Batch, progress: Progress, table: Tensor | None) -> Tensor:
        """The loss."""
        tagger, targets = self.tagger, batch.targets
        if table is not None:
            targets = targets._replace(table=table[batch.units.place])
        with autocast(tagger.precision, tagger.device), quick_dropout(tagger.device):
            twin = None if batch.twin is None else partial(tagger.encoder, batch.twin)
            scores = Scores(tagger.head, tagger.encoder(batch.inputs), batch.units, twin)
            weights = self.sampler(scores, targets, progress)
            return self.loss(scores, targets, weights, progress)


@dataclass
class State:
    """What a checkpoint holds beside tensors."""

    step: int = 0
    loss_sum: float = 0.0
    loss_count: int = 0
    best: float | None = None
    best_step: int = 0
    stale: int = 0
    """Evaluations since the best."""
    seconds: float = 0.0
    history: list[dict[str, Any]] = field(default_factory=list)
    finished: bool = False


@dataclass(frozen=True)
class Plan:
    """How many steps there are and which batches each takes."""

    feed: Feed
    training: Training
    seed: int
    processes: int
    process: int

    @property
    def per_epoch(self) -> int:
        """Steps of an epoch."""
        batches = math.ceil(len(self.feed.windows) / self.training.batch_size)
        return math.ceil(batches / (self.processes * self.training.accumulate))

    @property
    def steps(self) -> int:
        """Steps of the stage."""
        return self.per_epoch * self.training.epochs

    @property
    def between_evaluations(self) -> int:
        """Steps from one evaluation to the next."""
        return max(1, round(self.per_epoch * self.training.evaluate_every))

    def batches(self, first: int) -> Iterator[tuple[int, list[Any]]]:
        """From step `first` on: the step's number, and the windows of each of this process's batches in it."""
        width = self.processes * self.training.accumulate
        for epoch in range(first // self.per_epoch, self.training.epochs):
            order = self.feed.shuffled(self.training.batch_size, (self.seed, epoch))
            begin = first - epoch * self.per_epoch if epoch == first // self.per_epoch else 0
            for k in range(begin, self.per_epoch):
                places = range(k * width + self.process, (k + 1) * width, self.processes)
                # An epoch's last step may be a smaller one; a process for which nothing is left repeats a batch.
                left = [place for place in places if place < len(order)] or [places[0] % len(order)]
                yield epoch * self.per_epoch + k, [order[place] for place in left]


def fit(
    stage: Stage,
    tagger: Tagger,
    feed: Feed,
    dev: Feed | None,
    *,
    training: Training,
    seed: int,
    accelerator: Accelerator,
    folder: Path | None,
    reporter: Reporter,
    steps_before: int = 0,
) -> list[dict[str, Any]]:
    """Trains `tagger` in place and leaves it with its best weights; returns the history, a line an evaluation.

    `steps_before` are those of the stages before this one: trackers count all steps of a run.
    """
    plan = Plan(feed, training, seed, accelerator.num_processes, accelerator.process_index)
    with ExitStack() as stack:
        stack.enter_context(_deterministic())
        tagger.to(accelerator.device)  # before embeddings are taken out, which would be left behind
        needed = [rows for one in (feed, dev) if one is not None for rows in one.rows()]
        stack.enter_context(compact(tagger.get_submodule("encoder"), needed))
        stack.callback(accelerator.free_memory)  # it would keep every stage's optimiser to the end of the run
        loop = _Loop(plan, stage, tagger, dev, accelerator, folder, reporter, steps_before)
        return loop.run()


class _Loop:
    def __init__(
        self,
        plan: Plan,
        stage: Stage,
        tagger: Tagger,
        dev: Feed | None,
        accelerator: Accelerator,
        folder: Path | None,
        reporter: Reporter,
        steps_before: int,
    ) -> None:
        self.plan, self.tagger, self.dev, self.steps_before = plan, tagger, dev, steps_before
        self.training, self.accelerator, self.folder, self.reporter = plan.training, accelerator, folder, reporter
        self.name, self.refresh = stage.name, stage.refresh
        self.table: Tensor | None = None
        groups = parameter_groups(tagger, plan.training)
        optimizer = AdamW(groups, fused=accelerator.device.type in ("cpu", "cuda"))
        self.model, self.optimizer = accelerator.prepare(StageModel(tagger, stage.sampler, stage.loss), optimizer)
        self.rates = [group["lr"] * stage.rate for group in groups]
        self.state = State()
        self.best: dict[str, Tensor] | None = None

    def run(self) -> list[dict[str, Any]]:
        """From the checkpoint, if there is one, to the end."""
        self._resume()
        state, plan = self.state, self.plan
        if not state.finished:
            self.reporter.begin(self.name, state.step, plan.steps)
            try:
                self._train()
            finally:
                self.reporter.end()
        self._restore_best()
        return state.history

    def _train(self) -> None:
        state, plan = self.state, self.plan
        started, saved = time.monotonic() - state.seconds, time.monotonic()
        losses: list[Tensor] = []
        words = 0
        since = time.monotonic()
        self.model.train()
        for step, batches in plan.batches(state.step):
            if state.finished:
                break
            losses.append(self._step(step, batches))
            words += sum(int(self.plan.feed.windows.length[rows].sum()) for rows in batches)
            state.step = step + 1
            evaluate = state.step % plan.between_evaluations == 0 or state.step == plan.steps
            report = evaluate or len(losses) == 10
            due = time.monotonic() - saved >= 60 * self.training.checkpoint_minutes
            if report or due:
                # The only place where the device is waited for.
                values = torch.stack(losses).tolist()
                losses.clear()
                state.loss_sum += sum(values)
                state.loss_count += len(values)
            speed = words * plan.processes / max(time.monotonic() - since, 1e-9)
            self.reporter.step(state.step, values[-1] if report else None, speed)
            if evaluate:
                state.seconds = time.monotonic() - started
                self._evaluate()
            if evaluate or due:
                state.seconds = time.monotonic() - started
                self._save()
                saved = time.monotonic()

    def _step(self, step: int, batches: list[Any]) -> Tensor:
        """One optimiser step; its loss for each sentence."""
        plan, accelerator = self.plan, self.accelerator
        progress = Progress(step, plan.per_epoch, self.training.epochs)
        if self.refresh is not None:
            torch.manual_seed(_mixed(plan.seed, step, plan.processes))  # the same in all processes
            self._refreshed(self.refresh(self.tagger, plan.feed, progress, self.table))
        torch.manual_seed(_mixed(plan.seed, step, plan.process))
        for group, rate in zip(self.optimizer.param_groups, self.rates, strict=True):
            group["lr"] = rate * rate_factor(step, plan.steps, self.training)
        total = torch.zeros((), device=accelerator.device)
        for k, rows in enumerate(batches):
            last = k == len(batches) - 1
            together: AbstractContextManager[Any] = nullcontext() if last else accelerator.no_sync(self.model)
            with together:
                loss = self.model(plan.feed.batch(rows).to(accelerator.device), progress, self.table)
                accelerator.backward(loss)
            total += loss.detach()
        accelerator.clip_grad_norm_(self.model.parameters(), self.training.clip)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return total / sum(map(len, batches))

    def _refreshed(self, table: Tensor | None) -> None:
        self.table = None if table is None else table.to(self.accelerator.device)

    def _evaluate(self) -> None:
        state = self.state
        entry: dict[str, Any] = {
            "stage": self.name,
            "step": state.step,
            "epoch": round(state.step / self.plan.per_epoch, 4),
            "loss": state.loss_sum / max(state.loss_count, 1),
            "seconds": round(state.seconds, 1),
        }
        state.loss_sum, state.loss_count = 0.0, 0
        if self.dev is not None:
            score = score_arrays(self.dev.examples.spans(), self._find(self.dev))
            is_best = state.best is None or score.f1 > state.best
            if is_best:
                state.best, state.best_step, state.stale = score.f1, state.step, 0
                self._keep_best()
            else:
                state.stale += 1
            entry |= {"precision": score.precision, "recall": score.recall, "f1": score.f1}
            entry |= {"is_best": is_best, "best": state.best}
        patience = self.training.patience
        stopped = self.dev is not None and patience is not None and state.stale >= patience
        state.finished = state.step == self.plan.steps or stopped
        state.history.append(entry)
        self.reporter.evaluated(entry)
        self.accelerator.log(trackers.numbers(entry), step=self.steps_before + state.step)

    def _find(self, feed: Feed) -> SpanArrays:
        """The entities of all sentences; each process reads its share of them, all windows of a sentence in one process."""
        plan = self.plan
        shares = (rows[feed.windows.sentence[rows] % plan.processes == plan.process] for rows in feed.by_length(PIECES))
        spans = self.tagger.find(feed, (rows for rows in shares if len(rows))).spans
        if plan.processes == 1:
            return spans
        parts = gather_object([(spans.sentence, spans.start, spans.end, spans.label)])
        columns = [torch.cat([torch.from_numpy(part[k]) for part in parts]).numpy() for k in range(4)]
        return SpanArrays(*columns)

    def _weights(self) -> dict[str, Tensor]:
        return self.tagger.state_dict()

    def _keep_best(self) -> None:
        if self.folder is None:
            self.best = {name: tensor.detach().cpu().clone() for name, tensor in self._weights().items()}
        elif self.accelerator.is_main_process:
            checkpoint.write(self.folder / "best.safetensors", self._weights(), {"step": self.state.step})

    def _restore_best(self) -> None:
        self.accelerator.wait_for_everyone()
        best = self.best
        if self.state.best is not None and self.folder is not None:
            kept = checkpoint.read(self.folder / "best.safetensors")
            if kept is None:
                raise InputError(
                    "the best weights are missing", path=self.folder, remedy="remove it to start this stage again"
                )
            best = kept[0]
        if best is not None:
            self.tagger.load_state_dict(best)
        self.accelerator.wait_for_everyone()  # the files are removed after training: not before all have read them

    def _save(self) -> None:
        if self.folder is None or not self.accelerator.is_main_process:
            return
        tensors = {f"model.{name}": tensor for name, tensor in self._weights().items()}
        if not self.state.finished:  # a finished stage is only read, never continued
            tensors |= checkpoint.optimizer_tensors(self.optimizer)
            if self.table is not None:
                tensors["table"] = self.table
        checkpoint.write(self.folder / "checkpoint.safetensors", tensors, vars(self.state))

    def _resume(self) -> None:
        kept = None if self.folder is None else checkpoint.read(self.folder / "checkpoint.safetensors")
        if kept is None:
            return
        tensors, facts = kept
        self.state = State(**facts)
        self.tagger.load_state_dict(
            {name.removeprefix("model."): value for name, value in tensors.items() if name.startswith("model.")}
        )
        if not self.state.finished:
            self._refreshed(tensors.get("table"))
            checkpoint.restore_optimizer(self.optimizer, tensors)


def _mixed(seed: int, step: int, process: int) -> int:
    """One number from three, different for all runs that a person can think of."""
    return ((seed * 1_000_003 + step) * 65_537 + process) % (1 << 63)


@contextmanager
def _deterministic() -> Iterator[None]:
    """Operations that could differ from run to run are done the other way; where there is none, torch warns."""
    fill = deterministic.fill_uninitialized_memory  # type: ignore[attr-defined]
    before = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(True, warn_only=True)
    deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]  # a debugging aid that costs a pass over memory
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before[0], warn_only=before[1])
        deterministic.fill_uninitialized_memory = fill  # type: ignore[attr-defined]
