import { appUrl } from '#config/app'
import { describeOperation } from './describe_operation.ts'
import { tags } from './operations/index.ts'
import { apiRoutes } from './routes.ts'
import { records } from './schemas/index.ts'
import { securitySchemes } from './security.ts'
import type { TaggedOperation } from './operation.ts'
import type { Schema } from './schema.ts'

/*
 | Generates the description of the API from the routes of the router, the validators of
 | the request bodies, the schemas of the records, and the tables in `operations/`.
 */

export interface ApiDocument {
  openapi: string
  paths: Record<string, Record<string, any>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> }
  [member: string]: unknown
}

const INTRODUCTION = `Accounts, logins, sessions and their administration.

Log in with \`POST /auth/login\`, then send \`Authorization: Bearer <accessToken>\`. Every path also
answers below \`/api\` and \`/api/v1\`. Errors have one shape; \`Accept: application/problem+json\` gets
them as RFC 9457 has them. Times are ISO 8601 in UTC.`

let cached: Promise<ApiDocument> | undefined
let json: Buffer | undefined

/** The document, assembled at the first call. */
export function apiDocument() {
  return (cached ??= assemble())
}

/** The document as it is sent: the same bytes each time, which are compressed once. */
export async function apiDocumentJson() {
  return (json ??= Buffer.from(JSON.stringify(await apiDocument())))
}

async function assemble(): Promise<ApiDocument> {
  const schemas = { ...records }
  const paths = await describePaths(schemas)
  return {
    openapi: '3.0.3',
    info: { title: 'Gatehouse API documentation', version: '1.0', description: INTRODUCTION },
    servers: [{ url: new URL(appUrl).pathname }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths,
    components: { schemas, securitySchemes },
  }
}

/** Adds the schemas of the request bodies to `schemas`. */
async function describePaths(schemas: Record<string, Schema>) {
  const paths: ApiDocument['paths'] = {}
  for (const route of apiRoutes()) {
    const found = findOperation(route.key)
    if (!found) continue
    const path = route.pattern.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = await describeOperation(route, found, schemas)
  }
  return paths
}

function findOperation(key: string): TaggedOperation | undefined {
  const tag = tags.find(({ operations }) => key in operations)
  return tag && { tag: tag.name, operation: tag.operations[key] }
}
