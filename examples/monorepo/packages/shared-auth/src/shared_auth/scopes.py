"""Scopes: what the holder of a token may do.

A scope is written `resource:access`, for example `orders:read` or
`orders.refunds:read+approve`. Resources form a tree by their dots: `orders.*`
stands for everything below `orders`, and `*` for everything.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NotRequired, Self, TypedDict

_RESOURCE = re.compile(r"\*|[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)*(?:\.\*)?")

KNOWN_SCOPES: Final[Mapping[str, str]] = {
    "orders:read": "See orders",
    "orders:write": "Place and change orders",
    "orders:manage": "Do anything with orders",
    "orders.refunds:read": "See refunds",
    "orders.refunds:write": "Ask for a refund",
    "orders.refunds:approve": "Approve a refund",
    "orders.notes:read": "See notes on orders",
    "orders.notes:write": "Add notes to orders",
    "baskets:read": "See baskets",
    "baskets:write": "Change baskets",
    "catalogue:read": "See products and prices",
    "catalogue:write": "Change products",
    "catalogue.prices:write": "Propose new prices",
    "catalogue.prices:approve": "Approve new prices",
    "stock:read": "See stock levels",
    "stock:write": "Book stock in and out",
    "customers:read": "See customers' names and addresses",
    "customers:write": "Change customers' details",
    "customers.payment-methods:read": "See the last digits of stored cards",
    "customers.payment-methods:write": "Add and remove stored cards",
    "invoices:read": "See invoices",
    "invoices:write": "Raise invoices",
    "invoices:approve": "Release invoices for payment",
    "payouts:read": "See payouts to sellers",
    "payouts:approve": "Release payouts to sellers",
    "reports:read": "Run reports",
    "audit:read": "Read the audit log",
    "*:read": "See everything",
    "*:manage": "Do anything",
}
"""The scopes the consent screen can explain. Others are valid but have no text."""


class Access(enum.Flag):
    """Kinds of access. They are independent: `WRITE` does not include `READ`."""

    READ = enum.auto()
    """See the resource."""
    WRITE = enum.auto()
    """Create and change the resource."""
    APPROVE = enum.auto()
    """Sign off somebody else's change."""
    MANAGE = READ | WRITE | APPROVE
    """All of the above."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read names joined by `+`, such as `read+write`.

        Raises:
            ValueError: If a name is unknown or empty.
        """
        result = cls(0)
        for name in text.split("+"):
            if name != name.lower() or name.upper() not in cls.__members__:
                raise ValueError(f"unknown access {name!r}")
            result |= cls[name.upper()]
        return result

    def __str__(self) -> str:
        if self is Access.MANAGE:
            return "manage"
        return "+".join((flag.name or "").lower() for flag in self)


class ScopeClaim(TypedDict):
    """One entry of the structured `scp` claim."""

    resource: str
    access: list[str]
    label: NotRequired[str]
    """Text for the consent screen; it plays no part in matching."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A resource and the access to it."""

    resource: str
    #: Never empty: a scope that allows nothing is refused.
    access: Access

    def __post_init__(self) -> None:
        if not _RESOURCE.fullmatch(self.resource):
            raise ValueError(f"bad resource {self.resource!r}")
        if not self.access:
            raise ValueError("a scope needs at least one kind of access")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read one scope, such as `orders.refunds:read+approve`.

        Raises:
            ValueError: If `text` is not a scope.
        """
        resource, colon, access = text.partition(":")
        if not colon:
            raise ValueError(f"scope {text!r} has no access part")
        return cls(resource, Access.parse(access))

    def __str__(self) -> str:
        return f"{self.resource}:{self.access}"

    def covers(self, other: Scope) -> bool:
        """Say whether holding this scope is enough where `other` is required.

        `orders.*` covers `orders.refunds` and what is below it, but not `orders`
        itself; `orders` covers only `orders`.
        """
        return other.access & self.access == other.access and self._covers_resource(other.resource)

    def _covers_resource(self, resource: str) -> bool:
        if self.resource == "*" or self.resource == resource:
            return True
        # Keep the dot, so that `order.*` does not cover `orders`.
        return self.resource.endswith(".*") and resource.startswith(self.resource[:-1])


def parse_scopes(value: str | Iterable[str | ScopeClaim]) -> frozenset[Scope]:
    """Read the scopes of a token in any of the forms we have ever issued.

    Args:
        value: A string of scopes separated by spaces, or a list whose items are
            scope strings or `ScopeClaim` entries.

    Returns:
        The scopes. Access to the same resource is merged into one scope.

    Raises:
        ValueError: If any scope is malformed. One bad scope refuses them all,
            because a scope we cannot read might be a restriction.
    """
    merged: dict[str, Access] = {}
    for item in value.split() if isinstance(value, str) else value:
        scope = Scope.parse(item) if isinstance(item, str) else _from_claim(item)
        merged[scope.resource] = merged.get(scope.resource, Access(0)) | scope.access
    return frozenset(Scope(resource, access) for resource, access in merged.items())


def _from_claim(item: object) -> Scope:
    # Typed as a ScopeClaim by our caller, but it comes straight from JSON.
    if not isinstance(item, Mapping):
        raise ValueError("a scope entry is neither a string nor an object")
    resource, access = item.get("resource"), item.get("access")
    if not isinstance(resource, str) or not isinstance(access, list):
        raise ValueError("a scope entry needs 'resource' and 'access'")
    return Scope(resource, Access.parse("+".join(map(str, access))))


def covers_all(held: Iterable[Scope], required: Iterable[Scope]) -> bool:
    """Say whether every required scope is covered, kind by kind, by those held.

    The kinds of access may come from different scopes: `*:read` together with
    `orders:write` covers `orders:read+write`.
    """
    held = tuple(held)
    return all(
        any(scope.covers(Scope(need.resource, kind)) for scope in held)
        for need in required
        for kind in need.access
    )
