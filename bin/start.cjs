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
  require('node:module').enableCompileCache();
  import(`../dist/${entry}`).catch((error) => {
    const { existsSync } = require('node:fs');
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || existsSync(`${__dirname}/../dist`)) throw error;
    console.error(
      `${program}: This is a clone that was not built.\n  Start it with ./${program}, or run \`npm run build\` first.`,
    );
    process.exitCode = 3;
  });
}
