/** `polya ahc test`: comes with this part. */
import { ahcLater } from './ahc-later.ts';

export const ahcTest = ahcLater('test');
