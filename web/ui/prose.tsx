import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';

interface ProseProps {
  /**
   * Markdown. `## Title {#id}` begins a section and `### Title {#id}` a box in it. Below are paragraphs, lists (`- `) and
   * examples (`> `), with **strong** words, [links](/path) and {names} from `values`.
   */
  text: string;
  values: Readonly<Record<string, ReactNode>>;
}

export function Prose({ text, values }: ProseProps) {
  const [introduction = '', ...sections] = text.split(/^## /m);
  return (
    <>
      {introduction !== '' && (
        <p className="mt-4">
          <Words text={introduction} values={values} />
        </p>
      )}
      {sections.map((section) => (
        <ProseSection key={section} text={section} values={values} />
      ))}
    </>
  );
}

function ProseSection({ text, values }: ProseProps) {
  const [beginning = '', ...boxes] = text.split(/^### /m);
  const { id, title, blocks } = readPart(beginning);
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="mt-8 scroll-mt-20">
      <h2 id={`${id}-title`} className="text-lg font-semibold tracking-tight">
        <Words text={title} values={values} />
      </h2>
      <div className="mt-3 flex flex-col gap-3">
        {blocks.map((block) => (
          <Block key={block} text={block} values={values} />
        ))}
        {boxes.map((box) => (
          <ProseBox key={box} text={box} values={values} />
        ))}
      </div>
    </section>
  );
}

/** All but the first paragraph are small. */
function ProseBox({ text, values }: ProseProps) {
  const { id, title, blocks } = readPart(text);
  return (
    <article
      id={id}
      aria-labelledby={`${id}-name`}
      className="flex scroll-mt-20 flex-col gap-2 rounded-md border border-line bg-surface-raised p-4 [&>p:not(:first-of-type)]:text-sm [&>p:not(:first-of-type)]:text-text-muted"
    >
      <h3 id={`${id}-name`} className="-mb-1 font-semibold">
        <Words text={title} values={values} />
      </h3>
      {blocks.map((block) => (
        <Block key={block} text={block} values={values} />
      ))}
    </article>
  );
}

function readPart(text: string) {
  const [heading = '', ...blocks] = text.trim().split(/\n{2,}/);
  const [, title = '', id = ''] = /^(.*) \{#(.*)\}$/.exec(heading) ?? [];
  return { id, title, blocks };
}

function Block({ text, values }: ProseProps) {
  if (/^\{\w+\}$/.test(text)) return <Words text={text} values={values} />;
  if (text.startsWith('- ')) {
    return (
      <ul className="flex list-disc flex-col gap-2 pl-5 marker:text-text-muted">
        {text
          .split(/^- /m)
          .map((item) => item !== '' && <li key={item}>{<Words text={item} values={values} />}</li>)}
      </ul>
    );
  }
  const isExample = text.startsWith('> ');
  return (
    <p
      className={
        isExample ? 'border-l-2 border-line-strong pl-3 text-sm text-text-muted tabular-nums' : undefined
      }
    >
      <Words text={isExample ? text.slice(2) : text} values={values} />
    </p>
  );
}

const MARKED = /(\*\*.+?\*\*|\[.+?\]\(.+?\)|\{\w+\})/;

function Words({ text, values }: ProseProps): ReactNode {
  return text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .split(MARKED)
    .map((part, index) => {
      const [, strong] = /^\*\*(.+)\*\*$/.exec(part) ?? [];
      if (strong !== undefined) return <strong key={index}>{<Words text={strong} values={values} />}</strong>;
      const [, label, path] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
      if (label !== undefined && path !== undefined) {
        return (
          <Link key={index} to={path} className="link">
            {label}
          </Link>
        );
      }
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      if (name === undefined) return part;
      if (!Object.hasOwn(values, name)) throw new Error(`The text names an unknown value: ${name}`);
      return <Fragment key={index}>{values[name]}</Fragment>;
    });
}
