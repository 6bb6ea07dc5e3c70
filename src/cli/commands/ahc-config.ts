/** `polya ahc config`: comes with this part. */
import { ahcLater } from './ahc-later.ts';

export const ahcConfig = ahcLater('config');
