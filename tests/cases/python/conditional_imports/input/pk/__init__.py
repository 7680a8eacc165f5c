import sys

if sys.platform == "win32":
    from ._win import only_windows as only_windows, Loop as Loop
elif sys.platform == "linux":
    from ._epoll import Loop as Loop
else:
    from ._select import SelectLoop as Loop
