/** `polya ahc bundle`: comes with this part. */
import { ahcLater } from './ahc-later.ts';

export const ahcBundle = ahcLater('bundle');
