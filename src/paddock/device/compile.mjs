// Compiles a zip of Python modules to the bytecode of the browser's Python: node compile.mjs PYODIDE IN OUT
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, from, to] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const py = await loadPyodide({ indexURL: `${pyodide}/` });
py.FS.writeFile("/in.zip", readFileSync(from));
py.runPython(`
import importlib._bootstrap_external as external, re, sys, zipfile

# Modules whose sources are read when they run: rules are copied, migrations and anyio look for files
READ = re.compile(r"anyio/|paddock/(games|kernel|store/migrations)/")

def placed(name):
    """Return where the bytecode of a module stands beside its source."""
    folder, _, file = name.rpartition("/")
    return f"{folder}/__pycache__/{file[:-3]}.{sys.implementation.cache_tag}.pyc"

with zipfile.ZipFile("/in.zip") as given, zipfile.ZipFile("/out.zip", "w") as made:
    for entry in given.infolist():
        data, name = given.read(entry), entry.filename
        if READ.match(name) or not name.endswith(".py"):
            made.writestr(zipfile.ZipInfo(name), data)
        if name.endswith(".py"):
            code = compile(data, name, "exec", dont_inherit=True)
            compiled = external._code_to_hash_pyc(code, bytes(8), False)  # it is never compared with the source
            made.writestr(zipfile.ZipInfo(placed(name) if READ.match(name) else name + "c"), compiled)
`);
writeFileSync(to, py.FS.readFile("/out.zip"));
process.exit(0);
