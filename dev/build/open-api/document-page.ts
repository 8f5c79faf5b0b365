import { html, raw } from 'hono/html';
import { plainPage, type Html } from '#worker/app/plain-page.ts';
import { escapeXml } from '#worker/shared/xml.ts';
import type { OpenApiDocument, Operation, Response, Schema } from './open-api-document.ts';

const SCHEMAS = '#/components/schemas/';
const RESPONSES = '#/components/responses/';

/** Writes the document as one page without scripts, so that the browser's search covers all of it. */
export function documentPage({ info, tags, paths, components }: OpenApiDocument): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const rules = info.description.split('\n- ').slice(1);
  return plainPage({
    title: info.title,
    body: html`<main>
      <h1>${info.title}</h1>
      <p>
        <a href="/">Home</a>
        <a href="/api/openapi.json">OpenAPI 3.1 document</a>
        <a href="/api/docs/bot">Build a bot in ten minutes</a>
      </p>
      <ul>
        ${rules.map((rule) => html`<li>${code(rule)}</li>`)}
      </ul>
      <nav aria-label="Contents">
        ${tags.map(({ name }) => html`<a href="#${name}">${name}</a> `)}
        <a href="#schemas">Schemas</a>
      </nav>
      ${tags.map(
        ({ name, description }) =>
          html`<section aria-labelledby="${name}">
            <h2 id="${name}">${name}</h2>
            <p>${description}</p>
            ${operations
              .filter(({ operation }) => operation.tags.includes(name))
              .map((each) => describeOperation(each, components.responses))}
          </section>`,
      )}
      <section aria-labelledby="schemas">
        <h2 id="schemas">Schemas</h2>
        ${Object.entries(components.schemas).map(
          ([name, schema]) =>
            html`<article id="schema-${name}">
              <h3>${name}</h3>
              ${schema.description === undefined ? '' : html`<p>${schema.description}</p>`}
              ${describeFields(schema)}
            </article>`,
        )}
      </section>
    </main>`,
  });
}

interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function describeOperation(
  { path, method, operation }: Described,
  sharedResponses: Readonly<Record<string, Response>>,
): Html {
  const { summary, description, operationId, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  return html`<article id="${operationId}">
    <h3>
      <a href="#${operationId}"><code>${method.toUpperCase()} ${path}</code></a>
    </h3>
    <p>${summary}. ${description}</p>
    ${
      parameters.length === 0
        ? ''
        : html`<h4>Parameters</h4>
            <dl>
              ${parameters.map(
                ({ name, in: place, required, description: text, schema }) =>
                  html`<dt><code>${name}</code> in the ${place}${required ? '' : ', optional'}</dt>
                    <dd>${describeType(schema)}. ${code(text)}</dd>`,
              )}
            </dl>`
    }
    ${
      body === undefined
        ? ''
        : html`<h4>Body</h4>
            ${describeFields(body)}`
    }
    <h4>Responses</h4>
    <dl class="responses">
      ${Object.entries(responses).map(([status, either]) => {
        const response = sharedResponses[either.$ref?.replace(RESPONSES, '') ?? ''] ?? either;
        return html`<dt>${status}</dt>
          <dd>${code(response.description ?? '')} ${describeContent(status, response)}</dd>`;
      })}
    </dl>
  </article>`;
}

/** Describes a response. Errors are listed only by code, because all have the same body. */
function describeContent(status: string, { content = {} }: Response): Html | string {
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content);
  if (type === '' || Number(status) >= 400) return '';
  return type === 'application/json' ? html`${describeType(schema)}` : html`<code>${type}</code>`;
}

function describeFields(schema: Schema): Html {
  const { properties, required = [] } = schema;
  if (properties === undefined) return html`<p>${describeType(schema)}</p>`;
  return html`<dl>
    ${Object.entries(properties).map(
      ([name, field]) =>
        html`<dt><code>${name}</code>${required.includes(name) ? '' : ', optional'}</dt>
          <dd>${describeType(field)}${field.description === undefined ? '' : `. ${field.description}`}</dd>`,
    )}
  </dl>`;
}

function describeType(schema: Schema): Html {
  const { $ref, type, items, properties, anyOf, allOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.replace(SCHEMAS, '');
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined) {
    return html`${schema.enum.map((value, place) => html`${place > 0 ? ', ' : ''}<code>${JSON.stringify(value)}</code>`)}`;
  }
  if (items !== undefined) return html`list of ${describeType(items)}`;
  if (properties !== undefined) return describeFields(schema);
  const alternatives = anyOf ?? allOf;
  if (alternatives !== undefined) {
    return html`${alternatives.map((each, place) => html`${place > 0 ? ' or ' : ''}${describeType(each)}`)}`;
  }
  return html`${typeof type === 'string' || type === undefined ? (type ?? 'any value') : type.join(' or ')}`;
}

function code(text: string): Html[] {
  return text
    .split('`')
    .map((part, place) => raw(place % 2 === 1 ? `<code>${escapeXml(part)}</code>` : escapeXml(part)));
}
