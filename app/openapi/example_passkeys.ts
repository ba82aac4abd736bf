/* What a browser sends for a passkey. */

export const CHALLENGE = 'w3Zr8kQm1vXy5Tn7bLc0sHd2fGj4pUe6aRi9oKqVxWE'

const CREDENTIAL = {
  id: 'mXK0b7yq8QjT1vR2sWc3Zd',
  rawId: 'mXK0b7yq8QjT1vR2sWc3Zd',
  type: 'public-key',
}

/** Binary members are cut short. */
export const ATTESTATION = {
  ...CREDENTIAL,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ',
    transports: ['hybrid', 'internal'],
  },
}

export const ASSERTION = {
  ...CREDENTIAL,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDk3v8Zr1Qm0yXw7Tb5nLc2sHdGjJpUeaRi9oKqVxWE',
    userHandle: CHALLENGE,
  },
}
