import type { JsonRequest, Product } from '../tests/process/product.ts'

/** Returns the body of the answer to a request that has to succeed. */
export async function send(product: Product, path: string, request: JsonRequest) {
  const { status, body } = await product.request(path, request)
  if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
  return body
}
