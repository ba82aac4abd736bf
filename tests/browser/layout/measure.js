/*
 | Runs in a page and returns what is wrong with its layout at this width. A page or box may scroll
 | sideways; text or controls may be off screen, cut off or covered.
 */

/* The rounding of the browser, in pixels. */
const TOLERANCE = 1

/* Line boxes of different texts may overlap by this share of the smaller box. */
const TOUCHING = 0.4

const CONTROLS = 'button, a[href], input:not([type=hidden]), select, textarea, summary'

/** Caches the results by element: texts and controls share most of their ancestors. */
function remember(find) {
  const found = new Map()
  return (element) => {
    if (!found.has(element)) found.set(element, find(element))
    return found.get(element)
  }
}

const styleOf = remember((element) => getComputedStyle(element))
const frameOf = remember((element) => element.getBoundingClientRect())

/** Returns the element and its ancestors. */
const ancestorsOf = remember((element) =>
  element.parentElement ? [element, ...ancestorsOf(element.parentElement)] : [element]
)

/** The link to the content, which is hidden until it has the focus, and lists of choices. */
const UNSEEN = '.skip, option, script, style, noscript, title'

/** Texts for screen readers are clipped completely. */
const isCutToNothing = remember(
  (element) =>
    styleOf(element).clipPath === 'inset(50%)' ||
    (element.parentElement !== null && isCutToNothing(element.parentElement))
)

/** Contents of a folded box are not drawn. */
const isSeen = remember((element) => {
  const isDrawn = element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  if (!isDrawn || element.closest(UNSEEN) || element.matches('details:not([open])')) return false
  return !isCutToNothing(element)
})

/** Returns the box that is fixed to the screen above the other boxes. */
const layerOf = remember((element) => {
  const isLayer = (each) => ['fixed', 'sticky'].includes(styleOf(each).position)
  return ancestorsOf(element).find(isLayer) ?? document.body
})

/** The rest of a text that ends in an ellipsis is in a title. */
function shortens(element) {
  const { textOverflow, webkitLineClamp } = styleOf(element)
  return textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
}

function intersect(one, other) {
  const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)]
  const [right, bottom] = [Math.min(one.right, other.right), Math.min(one.bottom, other.bottom)]
  return { left, top, right, bottom, width: right - left, height: bottom - top }
}

/** Returns the boxes around an element that clip it. */
const cuttersOf = remember((element) =>
  ancestorsOf(element).filter(
    (each) => each !== document.documentElement && styleOf(each).overflowX !== 'visible'
  )
)

/** Clips a box to the boxes around it. Returns the rest, and the first box that hides a part. */
function cut(rect, element) {
  let [seen, cutter] = [rect, null]
  for (const each of cuttersOf(element)) {
    const inside = intersect(seen, frameOf(each))
    if (inside.width < seen.width - TOLERANCE && !shortens(each)) cutter ??= each
    seen = inside
  }
  return { seen, cutter }
}

function nameOf(element) {
  const text = (element.innerText ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)
  const classes = [...element.classList].map((name) => `.${name}`).join('')
  return `${element.localName}${classes} “${text || element.name || ''}”`
}

function textBoxes() {
  const boxes = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  while (walker.nextNode()) {
    const { currentNode: node } = walker
    const { parentElement: element } = node
    if (!node.data.trim() || !isSeen(element)) continue
    range.selectNodeContents(node)
    for (const rect of range.getClientRects()) {
      if (rect.width > TOLERANCE) boxes.push({ node, element, rect, ...cut(rect, element) })
    }
  }
  return boxes
}

function controlBoxes() {
  const controls = [...document.querySelectorAll(CONTROLS)].filter(isSeen)
  return controls.map((element) => {
    const rect = frameOf(element)
    return { element, rect, ...cut(rect, element) }
  })
}

function isOutside({ seen }) {
  return seen.width > 0 && (seen.right > innerWidth + TOLERANCE || seen.left < -TOLERANCE)
}

function scrolledBoxes() {
  const { scrollWidth } = document.documentElement
  const wide = [...document.querySelectorAll('body *')].filter((element) => {
    if (element.scrollWidth <= element.clientWidth + TOLERANCE) return false
    if (element.matches('input, textarea, select')) return false
    return ['auto', 'scroll'].includes(styleOf(element).overflowX) && isSeen(element)
  })
  const problems = wide.map((element) => `scrolls sideways: ${nameOf(element)}`)
  return scrollWidth > innerWidth ? [`the page is ${scrollWidth} wide`, ...problems] : problems
}

/** Finds text that does not fit into its button. */
function overfullButtons(texts) {
  const isOverfull = ({ element, rect }) => {
    const button = element.closest('button, .button, .badge, summary')
    if (!button || shortens(element)) return false
    const frame = frameOf(button)
    const isWide = rect.right > frame.right + TOLERANCE || rect.left < frame.left - TOLERANCE
    return isWide || rect.bottom > frame.bottom + TOLERANCE
  }
  return texts.filter(isOverfull).map(({ element }) => `leaves its button: ${nameOf(element)}`)
}

function isOver(one, other) {
  const shared = intersect(one.seen, other.seen)
  const least = Math.min(one.seen.height, other.seen.height)
  return shared.width > 2 && shared.height > least * TOUCHING
}

/** Finds pairs of boxes that cover each other, in the order of their upper edges. */
function overlaps(boxes) {
  const sorted = boxes
    .filter(({ seen }) => seen.width > TOLERANCE && seen.height > TOLERANCE)
    .sort((one, other) => one.seen.top - other.seen.top)
  return sorted.flatMap((one, index) => {
    const found = []
    for (let next = index + 1; next < sorted.length; next++) {
      const other = sorted[next]
      if (other.seen.top >= one.seen.bottom) break
      if (isOver(one, other) && areApart(one, other)) {
        found.push(`${nameOf(one.element)} over ${nameOf(other.element)}`)
      }
    }
    return found
  })
}

/** Lines of one paragraph never cover each other, and a text belongs to the control around it. */
function areApart(one, other) {
  if (!one.node && !other.node) return false
  if (layerOf(one.element) !== layerOf(other.element)) return false
  if (one.node && other.node) return blockOf(one.element) !== blockOf(other.element)
  const [control, text] = one.node ? [other, one] : [one, other]
  return !control.element.contains(text.element) && !isInText(control.element)
}

const blockOf = remember((element) => ancestorsOf(element).find((each) => !isInText(each)))

function isInText(element) {
  return styleOf(element).display === 'inline'
}

function problems() {
  const [texts, controls] = [textBoxes(), controlBoxes()]
  const boxes = [...texts, ...controls]
  const outside = boxes.filter(isOutside).map(({ element }) => `off screen: ${nameOf(element)}`)
  const cutBoxes = boxes.filter(({ cutter }) => cutter)
  const cutNames = cutBoxes.map(
    ({ element, cutter }) => `cut by ${nameOf(cutter).split(' ')[0]}: ${nameOf(element)}`
  )
  const found = [...scrolledBoxes(), ...outside, ...cutNames, ...overfullButtons(texts)]
  return [...new Set([...found, ...overlaps(boxes)])]
}

problems()
