/** What every store refuses, in the same words: ids that are taken or unknown, owners that live, ownership that is lost. */
import { JournalError, UserError } from '../core/errors.ts';
import { type Owner, processOf } from '../core/store.ts';

export function runExists(runId: string): UserError {
  return new UserError({ code: 'run-exists', what: `There is a run ${runId} already.` });
}

export function runNotFound(runId: string): UserError {
  return new UserError({
    code: 'no-such-run',
    what: `There is no run ${runId}.`,
    fix: '`polya runs list` shows the runs of this folder.',
  });
}

export function runOwned(runId: string, owner: Owner): JournalError {
  return new JournalError({
    code: 'run-owned',
    what: `Run ${runId} is alive in ${processOf(owner)}.`,
    why: 'A run has one owner at a time.',
    fix: `Watch it with \`polya runs watch ${runId}\`, or stop it with \`polya runs stop ${runId}\`.`,
  });
}

export function ownershipLostError(runId: string): JournalError {
  return new JournalError({
    code: 'ownership-lost',
    what: `Run ${runId} belongs to another process now.`,
    why: 'This one was taken for dead; nothing that it did since has been written.',
    fix: `Watch it with \`polya runs watch ${runId}\`.`,
  });
}

export function setExists(setId: string): UserError {
  return new UserError({ code: 'run-set-exists', what: `There is a run-set ${setId} already.` });
}

export function setNotFound(setId: string): UserError {
  return new UserError({
    code: 'no-such-set',
    what: `There is no run-set ${setId}.`,
    fix: '`polya run-set list` shows the run-sets of this folder.',
  });
}

export function setOwned(setId: string, owner: Owner): JournalError {
  const holder = processOf(owner);
  return new JournalError({
    code: 'run-owned',
    what: `${holder[0]?.toUpperCase()}${holder.slice(1)} is at work on run-set ${setId}.`,
    why: 'Two processes would each spend its budget.',
    fix: `Watch it with \`polya run-set show ${setId}\`, or wait until it has ended.`,
  });
}

export function setOwnershipLostError(setId: string): JournalError {
  return new JournalError({
    code: 'ownership-lost',
    what: `Run-set ${setId} belongs to another process now.`,
    why: 'This one was taken for dead.',
    fix: `See it with \`polya run-set show ${setId}\`.`,
  });
}

/** `instead`: what its reader can do who cannot update. */
export function newerStoreError(instead: string): JournalError {
  return new JournalError({
    code: 'database-newer',
    what: 'This store was written by a newer Polya; it can be read here, not written.',
    fix: `Update Polya, or ${instead}.`,
  });
}

export function linkFound(path: string): UserError {
  return new UserError({
    code: 'path-is-link',
    what: `${path} is a link, and Polya follows none to what it writes.`,
    why: 'Whoever made the link would choose which file is read or changed.',
    fix: 'Remove the link, or put what it leads to in its place; POLYA_HOME may name any folder.',
  });
}
