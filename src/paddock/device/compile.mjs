// Compiles a zip of Python modules to the bytecode of the browser's Python: node compile.mjs PYODIDE IN OUT
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, from, to] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const py = await loadPyodide({ indexURL: `${pyodide}/` });
py.FS.writeFile("/in.zip", readFileSync(from));
py.runPython(`
import importlib._bootstrap_external as external, zipfile

def source(name):
    return not name.endswith(".py") or name.startswith("anyio/") or "/migrations/" in name

with zipfile.ZipFile("/in.zip") as given, zipfile.ZipFile("/out.zip", "w") as made:
    for entry in given.infolist():
        data, name = given.read(entry), entry.filename
        if not source(name):
            code = compile(data, name, "exec", dont_inherit=True)
            data, name = external._code_to_timestamp_pyc(code, 0, len(data)), name + "c"
        made.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
`);
writeFileSync(to, py.FS.readFile("/out.zip"));
process.exit(0);
