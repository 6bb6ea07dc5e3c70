/** `polya ahc init`: comes with this part. */
import { ahcLater } from './ahc-later.ts';

export const ahcInit = ahcLater('init');
