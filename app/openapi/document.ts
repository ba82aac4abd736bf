import { appUrl } from '#config/app'
import { describeOperation } from './describe_operation.ts'
import { tags } from './operations/index.ts'
import { toOpenApi31 } from './openapi_3_1.ts'
import { providerRoutes } from './provider_routes.ts'
import { apiRoutes } from './routes.ts'
import { records } from './schemas/index.ts'
import { securitySchemes } from './security.ts'
import type { TaggedOperation } from './operation.ts'
import type { Schema } from './schema.ts'

/*
 | The document is generated from the routes, the validators, the schemas of the records, and the
 | tables in `operations/`.
 */

export interface ApiDocument {
  openapi: string
  paths: Record<string, Record<string, any>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> }
  [member: string]: unknown
}

const INTRODUCTION = `Accounts, logins, sessions and their administration.

Register with \`POST /auth/register\`, log in with \`POST /auth/login\`, then send
\`Authorization: Bearer <accessToken>\`. Applications sign people in by OpenID Connect: see \`oauth\`.
People have the [account page](account), administrators the [console](admin). Every path also answers below \`/api\` and \`/api/v1\`. All errors have the same shape; \`Accept: application/problem+json\` gets
them as RFC 9457 has them. Times are ISO 8601 in UTC.`

let cached: Promise<ApiDocument> | undefined
const sent = new Map<OpenApiVersion, Buffer>()

export const OPENAPI_VERSIONS = ['3.0', '3.1'] as const
export type OpenApiVersion = (typeof OPENAPI_VERSIONS)[number]

export const isOpenApiVersion = (value: unknown): value is OpenApiVersion =>
  OPENAPI_VERSIONS.includes(value as OpenApiVersion)

/** Version 3.0, assembled at the first call. */
export function apiDocument() {
  return (cached ??= assemble())
}

export async function apiDocumentOf(version: OpenApiVersion) {
  const document = await apiDocument()
  return version === '3.1' ? toOpenApi31(document) : document
}

/** Returns the same bytes each time, so that they are compressed only one time. */
export async function apiDocumentJson(version: OpenApiVersion) {
  const json = sent.get(version) ?? Buffer.from(JSON.stringify(await apiDocumentOf(version)))
  sent.set(version, json)
  return json
}

async function assemble(): Promise<ApiDocument> {
  const schemas = { ...records }
  const paths = await describePaths(schemas)
  return {
    openapi: '3.0.3',
    info: {
      title: 'Gatehouse API documentation',
      version: '1.0',
      description: INTRODUCTION,
      contact: { name: 'This installation', url: appUrl },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: new URL(appUrl).pathname }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths,
    components: { schemas, securitySchemes },
  }
}

/** Describes the paths in the order of the tags. Adds the schemas of bodies to `schemas`. */
async function describePaths(schemas: Record<string, Schema>) {
  const routes = new Map([...apiRoutes(), ...providerRoutes()].map((route) => [route.key, route]))
  const paths: ApiDocument['paths'] = {}
  for (const { key, ...found } of taggedOperations()) {
    const route = routes.get(key)
    if (!route) continue
    const path = route.pattern.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = await describeOperation(route, found, schemas)
  }
  return paths
}

function taggedOperations(): (TaggedOperation & { key: string })[] {
  return tags.flatMap(({ name: tag, operations }) =>
    Object.entries(operations).map(([key, operation]) => ({ key, tag, operation }))
  )
}
