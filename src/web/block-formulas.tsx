/** A text with formulas, and beside each paragraph what was found in it. */
import type { Formulas } from '../notes/panel.ts';
import { At, type BlockProps, Mark } from './block-parts.tsx';

export function FormulasBlock({ run, block: { title, lines, seq } }: BlockProps<Formulas>) {
  const hasFindings = lines.some(({ findings }) => findings.length > 0);
  return (
    <section class={`formulas ${hasFindings ? 'noted' : ''}`} aria-label={title}>
      <h2>
        {title} <At run={run} seq={seq} />
      </h2>
      {lines.map(({ number, html, findings }, at) => (
        <div key={String(at)} class={`paragraph ${findings.length > 0 ? 'found' : ''}`}>
          <small class="number">{number}</small>
          <TypesetFormula html={html} />
          {findings.map((finding, index) => (
            <aside key={String(index)} class={finding.tone}>
              <b class={finding.tone}>
                <Mark tone={finding.tone} /> {finding.title}
              </b>{' '}
              <At run={run} seq={finding.seq} />
              <TypesetFormula html={finding.html} />
            </aside>
          ))}
        </div>
      ))}
    </section>
  );
}

/** The one place where HTML is set: the server made it of MathML and escaped text. */
function TypesetFormula({ html }: { readonly html: string }) {
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
