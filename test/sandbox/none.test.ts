/** The back-end without isolation, where it differs from the default. */
import { noneConformance } from './back-ends.ts';

noneConformance('differences');
