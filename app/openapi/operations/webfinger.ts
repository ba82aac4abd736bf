import { E_NOT_FOUND } from '#exceptions/http_errors'
import { webfingerValidator } from '#validators/webfinger'
import { listOf, record } from '../schema.ts'
import { text } from '../schemas/fields.ts'
import type { Operations } from '../operation.ts'

const link = record({
  rel: { ...text, example: 'http://openid.net/specs/connect/1.0/issuer' },
  href: { ...text, format: 'uri', example: 'https://id.example.org' },
})

export const webfingerOperations: Operations = {
  'GET /.well-known/webfinger': {
    summary: 'Find the issuer of an address',
    description:
      'WebFinger (RFC 7033). `WEBFINGER_DOMAINS` lists the domains; without it the answer is 404. An address without an account gets the same answer.',
    query: webfingerValidator,
    answers: {
      200: {
        description: 'The issuer',
        type: 'application/jrd+json',
        headers: { 'Cache-Control': 'How long to keep it.' },
        schema: record({
          subject: { ...text, example: 'acct:ada@example.org' },
          links: listOf(link),
        }),
      },
    },
    refusals: [E_NOT_FOUND],
  },
}
