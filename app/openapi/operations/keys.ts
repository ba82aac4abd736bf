import { E_NO_PUBLIC_KEYS } from '#auth/errors'
import { ID_TOKEN_ALGORITHMS } from '#auth/signing_keys/signing_key'
import { listOf, record, type Schema } from '../schema.ts'
import type { Operations } from '../operation.ts'

const text = (description: string, example: string): Schema => ({
  type: 'string',
  description,
  example,
})

const publicKey = record(
  {
    kid: text(
      'RFC 7638 thumbprint, as in the header of a token',
      'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
    ),
    alg: { type: 'string', enum: [...ID_TOKEN_ALGORITHMS] },
    use: { type: 'string', enum: ['sig'] },
    kty: { type: 'string', enum: ['RSA', 'EC', 'OKP'] },
    n: text('Modulus, of RSA alone', 'sXchTe0v4Xq0…'),
    e: text('Exponent, of RSA alone', 'AQAB'),
    crv: { type: 'string', enum: ['P-256', 'Ed25519'], description: 'Not of RSA' },
    x: text('Public coordinate, not of RSA', 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'),
    y: text('Of P-256 alone', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'),
  },
  ['n', 'e', 'crv', 'x', 'y']
)

export const keyOperations: Operations = {
  'GET /.well-known/jwks.json': {
    summary: 'Read the keys that verify access tokens and ID tokens',
    description:
      'A JSON Web Key Set (RFC 7517) for other services, with `ETag`. A key is listed from ten minutes before it signs until its last token has expired. Compare `kid` and `alg`: the next key may have another algorithm. With the OpenID provider on, the first request creates the RSA key.',
    answers: {
      200: {
        description: 'The public keys',
        headers: { 'Cache-Control': 'How long to keep them.', 'ETag': 'For `If-None-Match`.' },
        schema: record({ keys: listOf(publicKey) }),
      },
      304: { description: 'They have not changed', schema: {} },
    },
    refusals: [E_NO_PUBLIC_KEYS],
  },
}
