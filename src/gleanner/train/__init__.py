"""Settings, the loop, and what methods are made of. Called, it trains: `gleanner.train(...)` is `gleanner.api.train`."""

from gleanner.callable import make_callable

make_callable(__name__, "gleanner.api", "train")
