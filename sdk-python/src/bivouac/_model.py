"""Data classes from the server's JSON."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


@cache
def wire_name(name: str) -> str:
    """The name of a field on the wire: `exit_code` is `exitCode`."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in rest)


@cache
def python_name(name: str) -> str:
    """The other way round."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found[1].lower(), name)


@cache
def _plan(kind: Any) -> list[tuple[str, str, Any]]:
    hints = get_type_hints(kind)
    return [(field.name, wire_name(field.name), hints[field.name]) for field in fields(kind) if field.init]


def read(kind: type[T], data: Any) -> T:
    """An object of a data class. Fields of a newer server are left out; absent ones are as the class has them."""
    source = data if isinstance(data, Mapping) else {}
    known = {name: _value(hint, source[wire]) for name, wire, hint in _plan(cast(Any, kind)) if wire in source}
    return kind(**known)


def write(value: Any) -> Any:
    """JSON for the server, without fields that are None."""
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((field.name, getattr(value, field.name)) for field in fields(value))
        return {wire_name(name): write(one) for name, one in pairs if one is not None}
    if isinstance(value, tuple):
        return list(value)
    return value


def _value(hint: Any, value: Any) -> Any:
    origin = get_origin(hint)
    if value is None:
        return None
    if origin in (Union, types.UnionType):
        return _value(next(one for one in get_args(hint) if one is not type(None)), value)
    if origin is list:
        return [_value(get_args(hint)[0], one) for one in value]
    if origin is dict:
        return {key: _value(get_args(hint)[1], one) for key, one in value.items()}
    return read(cast(type[Any], hint), value) if is_dataclass(hint) else value
