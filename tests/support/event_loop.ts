/** Counts the turns of the event loop during the work: at each turn others get their answers. */
export async function turnsDuring(work: () => Promise<unknown>) {
  let [turns, isWorking] = [0, true]
  const turn = () => {
    turns++
    if (isWorking) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isWorking = false
  return turns
}
