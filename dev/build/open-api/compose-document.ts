import { z } from 'zod';
import { PRODUCT_NAME, RATE_LIMITS } from '#schema/constants/app.ts';
import type { WebhookBody } from '#schema/contracts/webhooks.ts';
import { TAGS, type ApiFacts } from '#worker/app/route-facts.ts';
import type { DescribedRoute } from '#worker/app/route.ts';
import {
  contentOf,
  describeResponses,
  sharedResponses,
  type DescribedOperation,
} from './describe-responses.ts';
import type { OpenApiDocument, Operation, Parameter, Schema } from './open-api-document.ts';
import { PARAMETERS } from './parameters.ts';

const DESCRIPTION = `Everything that the app itself uses.

- Amounts are decimal strings in SOL, prices decimal strings in USD, times ISO 8601.
- Every error is an \`ErrorBody\`. Errors that may pass have \`retryable: true\` and \`Retry-After\`: repeat the request then. A browser that opens an address itself gets errors as a page instead.
- Requests that change something need JSON, and must not come from a browser on another site.
- Programs send an API key as \`Authorization: Bearer sc_…\`, without cookies. Operations that don't list \`apiKey\` refuse keys with 403 \`api_keys.not_allowed\`.
- Limits: \`RateLimit-Policy\` has the route's limit (\`q\` requests in \`w\` seconds). \`RateLimit\` has about how many are left (\`r\`), and when the count starts again (\`t\`); shared responses don't have it. Too many requests get 429 with \`Retry-After\`.
- Scripts of other sites may read every public GET (CORS), without cookies and keys.
- Routes of a caller take their id or their handle.
- Lists with a \`Link: rel="next"\` header have more pages.
- Responses without a public \`Cache-Control\` must not be shared between people.`;

const HEADERS = {
  ETag: {
    description: 'Send it as `If-None-Match` to get 304 if the response is still the same.',
    schema: { type: 'string' },
  },
  Link: {
    description: 'The next page, with `rel="next"`. Absent on the last page.',
    schema: { type: 'string' },
  },
  Location: { description: 'Where to go on.', schema: { type: 'string' } },
  'Retry-After': { description: 'In seconds.', schema: { type: 'string', pattern: '^\\d+$' } },
};

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description: 'Set by signing in with X.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A key from the settings. It sees what its owner may see.',
  },
};

/** Composes the OpenAPI document (version 3.1) of these routes, except the pages among them. */
export function composeDocument(
  routes: readonly DescribedRoute[],
  schemas: Readonly<Record<string, Schema>>,
): OpenApiDocument {
  const operations = Map.groupBy(routes.flatMap(operationOf), ({ path }) => path);
  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT_NAME} API`,
      version: '1.0.0',
      description: DESCRIPTION,
      contact: { name: 'The operator, whose address is in the terms (/terms)' },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-rights-reserved' },
    },
    servers: [{ url: '/', description: 'The site that serves this document.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      [...operations].map(([path, ofPath]) => [
        path,
        Object.fromEntries(ofPath.map((each) => [each.method.toLowerCase(), describeOperation(each)])),
      ]),
    ),
    webhooks: describeWebhooks(),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      responses: sharedResponses(),
      schemas,
    },
  };
}

/** The types of `WebhookBody`, with the schema of each body. */
const WEBHOOKS: Readonly<Record<WebhookBody['type'], string>> = {
  'call.opened': 'CallEventBody',
  'call.updated': 'CallEventBody',
  'call.level_hit': 'CallEventBody',
  'call.ended': 'CallEventBody',
  'payment.received': 'PaymentReceivedBody',
  'subscription.ended': 'SubscriptionEndedBody',
};
export const WEBHOOK_SCHEMAS = [...new Set(Object.values(WEBHOOKS))];

function describeWebhooks(): Record<string, object> {
  const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
    in: 'header',
    required: true,
    name,
    description: 'See standardwebhooks.com.',
    schema: { type: 'string' },
  }));
  const describe = (type: string, schema: string) => ({
    post: {
      tags: ['Notifications'],
      summary: `The event ${type}`,
      description: 'Repeated for a day with the same `webhook-id`, until the receiver responds with 2xx.',
      operationId: `receive-${type}`,
      security: [],
      parameters: headers,
      requestBody: {
        required: true,
        content: contentOf('application/json', { $ref: `#/components/schemas/${schema}` }),
      },
      responses: {
        '2XX': { description: 'Received.' },
        410: { description: 'Removes the webhook.' },
        '4XX': { description: 'Sent again later.' },
      },
    },
  });
  return Object.fromEntries(Object.entries(WEBHOOKS).map(([type, schema]) => [type, describe(type, schema)]));
}

/** Converts a route's path to OpenAPI's syntax: `/call/:id` becomes `/call/{id}`. Returns nothing for a page. */
function operationOf({ route, facts, schemas }: DescribedRoute): DescribedOperation[] {
  if (!('summary' in facts)) return [];
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern
    .replace(/^\/:part\{sitemap-.*\}$/, '/sitemap-{part}.xml')
    .replace('{.+}', '')
    .replace(/:(\w+)/g, '{$1}');
  return [{ method, path, facts, schemas }];
}

function describeOperation(operation: DescribedOperation): Operation {
  const { facts, schemas } = operation;
  const parameters = describeParameters(operation);
  return {
    tags: [facts.tag],
    summary: facts.summary,
    operationId: idOf(operation),
    ...describeAccess(facts),
    ...(parameters.length > 0 && { parameters }),
    ...(schemas['json'] && {
      requestBody: { required: true, content: contentOf('application/json', jsonSchemaOf(schemas['json'])) },
    }),
    responses: describeResponses(operation),
  };
}

/** Returns an operation id, such as `getCallersByUsernameOrIdStatistics`. */
function idOf({ method, path }: DescribedOperation): string {
  const words = path
    .replace(/^\/api/, '')
    .replace(/\{(\w+)\}/g, '-By-$1')
    .split(/[^A-Za-z0-9]+/);
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(
    '',
  );
}

/** Says who may use an operation, and how often. */
function describeAccess({ session, apiKey, limit }: ApiFacts): Pick<Operation, 'description' | 'security'> {
  const schemes = [
    ...(session === undefined ? [] : [{ name: 'session', text: 'a session' }]),
    ...(apiKey === undefined ? [] : [{ name: 'apiKey', text: 'an API key' }]),
  ];
  const isOptional = session !== 'required' && session !== 'operator';
  const accepted = schemes.map(({ text }) => text).join(' or ');
  const access = accepted === '' ? 'Needs no session' : `${isOptional ? 'Accepts' : 'Needs'} ${accepted}`;
  return {
    description: `${access}. At most ${RATE_LIMITS[limit === 'unknown' ? 'reads' : limit]} requests a minute.`,
    security: [
      ...(isOptional && schemes.length > 0 ? [{}] : []),
      ...schemes.map(({ name }) => ({ [name]: [] })),
    ],
  };
}

function describeParameters({ path, facts, schemas }: DescribedOperation): Parameter[] {
  const validated = { path: jsonSchemaOf(schemas['param']), query: jsonSchemaOf(schemas['query']) };
  const names = {
    path: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query: Object.keys({ ...validated.query.properties, ...facts.query }),
  };
  return (['path', 'query'] as const).flatMap((place) =>
    names[place].map((name) => ({
      in: place,
      required: place === 'path' || validated.query.required?.includes(name) === true,
      name,
      description: facts.query?.[name] ?? PARAMETERS[name] ?? '',
      schema: validated[place].properties?.[name] ?? { type: 'string' },
    })),
  );
}

function jsonSchemaOf(schema: z.ZodType = z.object()): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json as Schema;
}
