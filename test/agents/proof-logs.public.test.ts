/** The published logs of the IMO 2025 agent: what real models answered. */
import { sharedFile } from '../support/shared-data.ts';
import { holdLogs, logsIn } from './log-tests.ts';

holdLogs(logsIn(process.env.POLYA_IMO_TRANSCRIPTS ?? sharedFile('imo25-transcripts')));
