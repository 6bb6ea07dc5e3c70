/** What the process of a session is started with, by `session-detach.ts`; nobody calls it by hand. */
import { workAsOrdered } from './work.ts';

workAsOrdered();
