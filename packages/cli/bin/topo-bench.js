#!/usr/bin/env node
// Checks the Node.js version before anything else is parsed, then starts the built CLI.
// Syntax that Node.js 10 reads, so that old versions print the advice instead of a SyntaxError.
var required = [20, 19];
var actual = process.versions.node.split('.').map(Number);
var tooOld = actual[0] < required[0] || (actual[0] === required[0] && actual[1] < required[1]);

function fail(code, message, hint) {
  if (process.argv.indexOf('--json') !== -1) {
    console.log(JSON.stringify({ error: { code: code, message: message, hint: hint } }));
  }
  console.error(`error ${code}: ${message}\nhint: ${hint}`);
  process.exitCode = 3;
}

if (tooOld) {
  fail(
    'TB_NODE_TOO_OLD',
    `Node.js ${process.versions.node} is too old: topo-bench needs ${required.join('.')} or newer`,
    'install a current LTS version from https://nodejs.org, or with a version manager: nvm install --lts',
  );
} else {
  import('../dist/cli.js').then(
    (cli) => cli.start(process.argv.slice(2)),
    (error) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND' || error.message.indexOf('cli.js') === -1) throw error;
      fail('TB_NOT_BUILT', 'the command line tool is not built: dist/cli.js is missing', 'run: npm run setup');
    },
  );
}
