import logger from '@adonisjs/core/services/logger'
import { signingKid } from '#auth/signing_keys/jws_signer'
import { identityPurpose } from '#auth/signing_keys/signing_key'
import type { OAuthClient } from './client.ts'

/**
 * An application may copy the public keys only when it is set up. This runs after the commit:
 * without a key, the client stays registered, and its first sign-in makes the key.
 */
export async function prepareKey({ clientId, idTokenAlgorithm: algorithm }: OAuthClient) {
  try {
    await signingKid(identityPurpose(algorithm))
  } catch (error) {
    logger.warn({ err: error, clientId, algorithm }, 'the key of ID tokens is not made yet')
  }
}
