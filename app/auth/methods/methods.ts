import { external } from './external.ts'
import { passkey } from './passkey.ts'
import { password } from './password.ts'
import type { MethodTraits, Proof, SignInMethod } from './sign_in_method.ts'

export const METHODS = { password, passkey, external } satisfies {
  [M in SignInMethod]: MethodTraits<M>
}

export const METHOD_LIST: MethodTraits[] = Object.values(METHODS)

/** No provider may be named `password` or `passkey` (`app/setup/environment/oidc_clients.ts`). */
export function methodNamed(name: string): MethodTraits {
  return METHOD_LIST.find((method) => method.name === name) ?? METHODS.external
}

export function traitsOf({ method }: Proof): MethodTraits {
  return METHODS[method]
}

export function areGuessable(proofs: Proof[]) {
  return proofs.every((proof) => traitsOf(proof).isGuessable)
}

export function areMultiFactor(proofs: Proof[]) {
  return proofs.some((proof) => traitsOf(proof).isMultiFactor)
}

export function amrOf(proofs: Proof[], { hasCode }: { hasCode: boolean }) {
  const amr = proofs.flatMap((proof) => traitsOf(proof).amr(proof))
  return hasCode && !areMultiFactor(proofs) ? [...amr, 'otp', 'mfa'] : amr
}
