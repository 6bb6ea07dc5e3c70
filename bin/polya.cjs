#!/usr/bin/env node
'use strict';
// The bin of the package, in plain old JavaScript that loads nothing before the version of Node is known, so that an
// older Node can read it and say what to do. The clone is started by ./polya, which brings its own Node.
var least = 24;
var version = process.versions.node;

if (Number(version.split('.')[0]) < least) {
  console.error(
    'polya: This is Node ' +
      version +
      ', and Polya needs Node ' +
      least +
      ' or newer.\n' +
      '  It uses what older versions lack, such as the database that is built into Node.\n' +
      '  Run `npm install node@26` beside Polya, then `npx polya …`; or install Node 26 from https://nodejs.org.',
  );
  process.exitCode = 3;
} else {
  start();
}

function start() {
  // What it tells its user to type next should be what he can type.
  if (!process.env.POLYA_CALLED_AS) {
    process.env.POLYA_CALLED_AS = process.env.npm_command === 'exec' ? 'npx polya' : process.argv[1];
  }
  require('node:module').enableCompileCache();
  import('../dist/cli/main.js').catch((error) => {
    const { existsSync } = require('node:fs');
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || existsSync(`${__dirname}/../dist`)) throw error;
    console.error(
      'polya: This is a clone that was not built.\n  Start it with ./polya, or run `npm run build` first.',
    );
    process.exitCode = 3;
  });
}
