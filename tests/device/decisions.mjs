// Plays the games of decisions.py in the browser's Python: node decisions.mjs PYODIDE CODE ASKED
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

const [script, pyodide, code, asked] = process.argv.slice(1);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const py = await loadPyodide({ indexURL: `${pyodide}/` });
const folder = py.runPython("import site; site.getsitepackages()[0]");
py.unpackArchive(new Uint8Array(readFileSync(code)), "zip", { extractDir: folder });
py.FS.writeFile(`${folder}/decisions.py`, new Uint8Array(readFileSync(`${dirname(script)}/decisions.py`)));
py.globals.set("asked", asked);
const said = py.runPython(`
import json
from decisions import digests
json.dumps([digests(*each) for each in json.loads(asked)])
`);
process.stdout.write(said, () => process.exit(0));
