/** What makes two branches of one strategy say different things: the temperature, a seed, or another wording. */
import type { Run } from '../../core/agent.ts';
import type { ModelSettings } from '../../core/model.ts';
import { type EnsembleSettings, modelSettingsOf } from './settings.ts';

export type Way = { readonly modelSettings: ModelSettings; readonly wording: string };

const wordings = ['otherWay', 'thirdWay', 'fourthWay'] as const;

/** Of the `nth` branch of a strategy, from 1. The first one always has the plain wording. */
export function wayOf(run: Run, settings: EnsembleSettings, nth: number): Way {
  const asked = {
    ...modelSettingsOf(settings),
    ...(settings.diversity === 'seed' ? { seed: nth } : {}),
  };
  const needsWording = nth > 1 && isAlike(run.settingsFor('solver', asked), settings.diversity, nth);
  const name = wordings[(nth - 2) % wordings.length];
  return { modelSettings: asked, wording: needsWording && name ? run.prompt(name) : '' };
}

/** Whether the same prompt would be answered the same way, by what the model is really sent. */
function isAlike(sent: ModelSettings, diversity: EnsembleSettings['diversity'], nth: number): boolean {
  switch (diversity) {
    case 'none':
      return false;
    case 'wording':
      return true;
    case 'seed':
      return sent.seed !== nth;
    case 'auto':
      // A seed that its user has set makes some models say the same at any temperature.
      return (sent.temperature ?? 0) === 0 || sent.seed !== undefined;
  }
}
