interface Once<Added> {
  /** Of the form as it was filled in; absent for a request without one. */
  id?: string
  add: () => Promise<Added>
  find: (id: string) => Promise<Added | null>
  /** What a second submit may be told. */
  refusals: (new () => Error)[]
}

/** The second submit of a form returns what the first has made. */
export async function addOnce<Added>({ id, add, find, refusals }: Once<Added>): Promise<Added> {
  try {
    return await add()
  } catch (error) {
    const isRepeatable = refusals.some((refusal) => error instanceof refusal)
    const earlier = id && isRepeatable ? await find(id) : null
    if (!earlier) throw error
    return earlier
  }
}
