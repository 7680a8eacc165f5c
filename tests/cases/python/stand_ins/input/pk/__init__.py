"""The real thing goes before what stands in for it."""
from ._a import Proxy
