/** The Rust of rustup, for what runs with another home: where the user of the tests has it, set-up brings no other. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { rustupToolchains } from '../../src/sandbox/languages/rustup.ts';

export const RUSTUP_HOME = process.env.RUSTUP_HOME ?? join(homedir(), '.rustup');

const [toolchain] = await rustupToolchains();
/** The folder of `cargo` and `rustc`. */
export const rustFolder = toolchain === undefined ? '/usr/bin' : join(toolchain, 'bin');
