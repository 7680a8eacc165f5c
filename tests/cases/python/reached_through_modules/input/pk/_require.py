class requires:
    @staticmethod
    def feature(function): ...


class Hidden:
    def hidden(self) -> int: ...
