_attrs = {"go": "pk.by_colon._run:start", "stop": ("pk.by_colon._run", "halt"), "run_module": "pk.by_colon._run"}

def __getattr__(name): return load(_attrs[name])
