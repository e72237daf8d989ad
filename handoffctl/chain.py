"""Specs and named chains -> filters; a chain's run -> its steps."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, cast

from handoffctl.chains.foreign import called, load_function, usable
from handoffctl.chains.specs import Spec, parse_spec, parse_step
from handoffctl.config import Config, load_config
from handoffctl.errors import HandoffctlError, PluginError, UsageError
from handoffctl.filters import FILTERS
from handoffctl.model import Filter, HandoffInputData, Step
from handoffctl.registry import normalised, suggestion

_DEEPEST = 50
_MOST_STEPS = 1_000


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One filter of a chain. `name` is as it was written; `origin` says where; `builtin` whether it is our own."""

    name: str
    filter: Filter
    origin: str
    builtin: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """Filters in their order, as one value that is a filter itself."""

    steps: tuple[ChainStep, ...]
    name: str = ""
    description: str = ""

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        """What the last filter gives. Raises PluginError, naming the step, where foreign code fails."""
        for number, step in enumerate(self.steps, 1):
            data = step.filter(data) if step.builtin else _run_foreign(step, number, data)
        return data


def run(chain: Chain | Filter, data: HandoffInputData) -> tuple[Step, ...]:
    """Each filter's before and after, in order; empty for a chain without filters."""
    steps: list[Step] = []
    for number, step in enumerate(as_chain(chain).steps, 1):
        after = step.filter(data) if step.builtin else _run_foreign(step, number, data)
        steps.append(Step(step.name, data, after))
        data = after
    return tuple(steps)


def as_chain(filter_: Chain | Filter) -> Chain:
    """A chain as it is; any other filter as a chain of one, under its own name."""
    if isinstance(filter_, Chain):
        return filter_
    name = getattr(filter_, "__name__", type(filter_).__name__)
    builtin = type(filter_).__module__.startswith("handoffctl.filters.")
    return Chain((ChainStep(name, filter_, "the caller", builtin),), name)


def load_chain(name: str, config: Config | None = None) -> Chain:
    """The chain of that name in the configuration. Raises UsageError where there is none."""
    config = config or load_config()
    return Chain(tuple(_named_steps(name, config, ())), name, config.chains[_known(name, config)].description)


def build_chain(specs: Iterable[str], config: Config | None = None, *, origin: str = "-f") -> Chain:
    """The chain that these specs mean, in order. Raises UsageError or PluginError."""
    config = config or Config()
    steps = [step for text in specs for step in _steps(parse_spec(text, origin), config, ())]
    return Chain(tuple(steps), " ".join(step.name for step in steps))


def _named_steps(name: str, config: Config, outer: Sequence[str]) -> list[ChainStep]:
    """Raises UsageError where the chain contains itself, or chains in chains come to too many steps."""
    known = _known(name, config)
    if known in outer:
        circle = " → ".join([*outer, known])
        raise UsageError(f"the chain contains itself: {circle}", place=config.chains[known].origin)
    chain = config.chains[known]
    if len(outer) >= _DEEPEST:
        raise UsageError(f"chains in chains, over {_DEEPEST} deep", place=chain.origin)
    steps: list[ChainStep] = []
    for each in chain.steps:
        steps += _steps(parse_step(each, chain.origin), config, (*outer, known))
        if len(steps) > _MOST_STEPS:
            raise UsageError(
                f"over {_MOST_STEPS:,} steps", place=chain.origin, help="a chain may repeat itself too often"
            )
    return steps


def _known(name: str, config: Config) -> str:
    for known in config.chains:
        if normalised(known) == normalised(name):
            return known
    hint = suggestion(name, list(config.chains))
    where = f"{config.path} has {', '.join(config.chains) or 'none'}" if config.path else "there is no handoffctl.toml"
    raise UsageError("no such chain", place=f"-c {name}", help=f"{hint} {where}".strip())


def _steps(spec: Spec, config: Config, outer: Sequence[str]) -> list[ChainStep]:
    if spec.kind == "chain":
        return _named_steps(spec.name, config, outer)
    if spec.kind == "function":
        folder = str(Path(config.path).resolve().parent) if config.path else None
        return [ChainStep(spec.text, load_function(spec, folder), spec.origin, builtin=False)]
    builtin = normalised(spec.name) in {normalised(name) for name in FILTERS.builtin}
    name = spec.text if not spec.options or "=" in spec.text else spec.text + _written(spec.options)
    return [ChainStep(name, build_filter(spec), spec.origin, builtin)]


def _written(options: dict[str, Any]) -> str:
    return ":" + ",".join(f"{key}={value}" for key, value in options.items())


def build_filter(spec: Spec) -> Filter:
    """A filter with its options, typed and validated. Raises UsageError, PluginError."""
    place = f"{spec.origin} {spec.text}"
    try:
        filter_ = FILTERS.get(spec.name)
    except UsageError as error:
        raise UsageError(error.what, place=place, help=error.help) from error
    if not inspect.isclass(filter_):
        if spec.options:
            help_ = "it is a plain function; a filter that is a class may have options"
            raise UsageError("this filter has no options", place=place, help=help_)
        return usable(filter_, place)
    try:
        return cast("Filter", _typed(filter_, spec.options, place) if spec.options else filter_())
    except HandoffctlError as error:
        page = f"`handoffctl filters {spec.name}` shows the options"
        raise UsageError(error.what, place=place, help=error.help or page) from error
    except Exception as error:
        raise PluginError(f"could not be made: {type(error).__name__}: {error}", place=place) from error


def _typed(filter_class: type, options: dict[str, Any], place: str) -> Any:
    """The filter with its options converted to the types that its class declares."""
    if not is_dataclass(filter_class):
        return filter_class(**options)
    names = [each.name for each in fields(filter_class) if each.init]
    for name in options:
        if name not in names:
            hint = f"{suggestion(name, names)} its options: {', '.join(names) or 'none'}".strip()
            raise UsageError(f"no such option: {name}", place=place, help=hint)
    from handoffctl.chains.options import validated

    return validated(filter_class, options)


def _run_foreign(step: ChainStep, number: int, data: HandoffInputData) -> HandoffInputData:
    return called(step.filter, data, f"step {number}, {step.name}")
