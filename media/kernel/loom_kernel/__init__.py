"""The Python side of Loom's kernel. `plain` and `mime` also run in Pyodide; the rest needs a process of its own."""
