/**
 * The back-ends other than the default, held to what is the same code on all of them too.
 * @module-tag root
 */
import { dockerConformance, noneConformance } from './back-ends.ts';

dockerConformance('back-end');
noneConformance('back-end');
