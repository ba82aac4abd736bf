import { Algorithm, hash, verify } from '@node-rs/argon2'

/* The parameters that every target hashes with; Gatehouse uses the same. */
const PARAMETERS = {
  algorithm: Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}

export const hashPassword = (password) => hash(password, PARAMETERS)
export const verifyPassword = (digest, password) => verify(digest, password)
