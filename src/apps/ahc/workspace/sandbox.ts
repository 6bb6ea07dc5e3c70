/** The sandbox that the configuration of contests names. Nothing of it is tried before it is needed. */
import type { Sandbox } from '../../../core/sandbox.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import type { Environment } from '../../../io/home.ts';
import { chosenSandbox } from '../../../sandbox/choose.ts';

/** `auto` leaves it to POLYA_SANDBOX, and then to what works. */
export function sandboxFor(config: Pick<Resolved, 'get'>, env: Environment): Sandbox {
  const configured = String(config.get('sandbox.backend'));
  const backend = configured === 'auto' ? env.POLYA_SANDBOX : configured;
  return chosenSandbox({ env, ...(backend ? { backend } : {}) });
}
