'use strict';
// What the bins of the package share, in plain old JavaScript that loads nothing before the version of Node is known, so
// that an older Node can read it and say what to do. The clone is started by ./polya, which brings its own Node.
var least = 24;
var version = process.versions.node;

// `program`: how it is called; `entry`: what is started in dist.
module.exports = function run(program, entry) {
  if (Number(version.split('.')[0]) >= least) return start(program, entry);
  console.error(
    program +
      ': This is Node ' +
      version +
      ', and Polya needs Node ' +
      least +
      ' or newer.\n' +
      '  It uses what older versions lack, such as the database that is built into Node.\n' +
      '  Run `npm install node@26` beside Polya, then `npx ' +
      program +
      ' …`; or install Node 26 from https://nodejs.org.',
  );
  process.exitCode = 3;
};

function start(program, entry) {
  // What it tells its user to type next should be what he can type.
  if (!process.env.POLYA_CALLED_AS) {
    process.env.POLYA_CALLED_AS = process.env.npm_command === 'exec' ? `npx ${program}` : process.argv[1];
  }
  keepCompiled();
  import(`../dist/${entry}`).catch((error) => {
    const { existsSync } = require('node:fs');
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || existsSync(`${__dirname}/../dist`)) throw error;
    console.error(
      `${program}: This is a clone that was not built.\n  Start it with ./${program}, or run \`npm run build\` first.`,
    );
    process.exitCode = 3;
  });
}

// Of many that begin at once with an empty cache, one writes what Node has compiled, as with ./polya: else each writes the
// same hundreds of files when it ends. The folder is of this version, and not where other users of the machine can write.
function keepCompiled() {
  const { HOME, NODE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
  const cache = XDG_CACHE_HOME || `${HOME}/.cache`;
  // Below /proc, Node would go on making folders for ever.
  if (NODE_COMPILE_CACHE || !cache.startsWith('/') || cache.startsWith('/proc/')) return;
  const { existsSync, mkdirSync, rmdirSync, statSync } = require('node:fs');
  const folder = `${cache}/polya/compiled-${require('../package.json').version}`;
  const lock = `${folder}/filling`;
  // Node executes what the cache holds.
  const isForeign = () =>
    statSync(folder).uid !== process.getuid?.() || (statSync(folder).mode & 0o022) !== 0;
  try {
    if (existsSync(folder) && isForeign()) return;
    if (!existsSync(`${folder}/filled`)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > 120_000) rmdirSync(lock);
      mkdirSync(lock);
      // Another may have filled the cache between the two looks.
      if (existsSync(`${folder}/filled`)) rmdirSync(lock);
      else process.env.POLYA_FILLS_CACHE = lock;
    }
  } catch {
    return;
  }
  require('node:module').enableCompileCache(folder);
}
