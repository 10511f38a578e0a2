// Compiles zips of Python modules with the browser's Python: node compile.mjs PYODIDE TRIM.PY ZIP…, each in place
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, trim, ...zips] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
// Tracebacks do with lines: columns would be an eighth of all bytes
const py = await loadPyodide({ indexURL: `${pyodide}/`, env: { PYTHONNODEBUGRANGES: "1" } });
py.runPython(readFileSync(trim, "utf8"));
for (const zip of zips) {
  py.FS.writeFile("/in.zip", readFileSync(zip));
  py.globals.get("compile_all")("/in.zip", "/out.zip");
  writeFileSync(zip, py.FS.readFile("/out.zip"));
}
process.exit(0);
