// What is wrong with how a letter looks in the window as it is: a list of sentences, empty if nothing is.
(() => {
  const TOUCH = 24; // CSS pixels that a finger finds (WCAG 2.2, 2.5.8)
  const FINGER = 44; // CSS pixels of a square on boards up to 6x6
  const SMALLEST = 13;
  const CONTRAST = 4.5; // WCAG 2.2, 1.4.3
  const faults = [];
  const arePicturesOff = document.documentElement.dataset.pictures === "off";
  const width = document.documentElement.clientWidth;

  const named = (node) => {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    const words = (node.textContent || element.alt || "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${element.tagName.toLowerCase()}> "${words}"`;
  };
  const seen = (element) => {
    const style = getComputedStyle(element);
    return style.display !== "none" && style.visibility !== "hidden";
  };

  const colorOf = (element, name) => getComputedStyle(element)[name].match(/[\d.]+/g).map(Number);
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = colorOf(one, "backgroundColor");
      if (color.length === 3 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const light = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((one) =>
      one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };

  if (document.documentElement.scrollWidth > width)
    faults.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${width}`);

  const elements = [...document.body.querySelectorAll("*")].filter(seen);
  for (const element of elements) {
    const box = element.getBoundingClientRect();
    if (box.width && (box.left < -0.5 || box.right > width + 0.5))
      faults.push(`${named(element)} reaches from ${box.left} to ${box.right} in a window of ${width}`);
    const style = getComputedStyle(element);
    // The text of a picture that isn't shown may be too long for the narrow squares of large boards.
    if (arePicturesOff && element.matches("img") && box.width < FINGER) continue;
    const cut = style.overflowX !== "visible" && element.scrollWidth > element.clientWidth;
    if (cut || (style.overflowY !== "visible" && element.scrollHeight > element.clientHeight))
      faults.push(`${named(element)} is cut`);
  }

  // A run of text on one line, a picture, a link: each is a box that no other may touch but its own.
  const boxes = [];
  const add = (owner, rect) => {
    if (rect.width > 0 && rect.height > 0) boxes.push({ owner, rect });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (!text.textContent.trim() || !seen(text.parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const rect of range.getClientRects()) add(text, rect);
    const size = parseFloat(getComputedStyle(text.parentElement).fontSize);
    if (size < SMALLEST) faults.push(`${named(text)} is ${size} high`);
  }
  for (const element of elements)
    if (element.matches("img, a")) for (const rect of element.getClientRects()) add(element, rect);
  boxes.sort((one, other) => one.rect.top - other.rect.top);
  for (let i = 0; i < boxes.length; i++)
    for (let j = i + 1; j < boxes.length && boxes[j].rect.top < boxes[i].rect.bottom - 1; j++) {
      const [one, other] = [boxes[i], boxes[j]];
      const [a, b] = [one.rect, other.rect];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1 && !one.owner.contains(other.owner) && !other.owner.contains(one.owner))
        faults.push(`${named(one.owner)} lies over ${named(other.owner)}`);
    }

  for (const image of document.images) {
    if (arePicturesOff) {
      // axe-core doesn't look at the text that is shown in place of a picture.
      const found = contrast(colorOf(image, "color"), behind(image));
      if (image.alt && found < CONTRAST) faults.push(`${named(image)} has a contrast of ${found.toFixed(1)}`);
      continue;
    }
    if (!image.complete || !image.naturalWidth) faults.push(`${named(image)} is not there`);
    else {
      const { width: wide, height: high } = image.getBoundingClientRect();
      const stretched = wide / high / (image.naturalWidth / image.naturalHeight);
      if (Math.abs(stretched - 1) > 0.01) faults.push(`${named(image)} is stretched to ${wide} by ${high}`);
    }
  }
  for (const link of document.links) {
    const picture = link.querySelector("img");
    if (picture) {
      const { width: wide, height: high } = picture.getBoundingClientRect();
      if (Math.min(wide, high) < TOUCH) faults.push(`${named(picture)} is a link of ${wide} by ${high} pixels`);
      continue;
    }
    // A link in a line has the height of the line to be touched.
    const line = getComputedStyle(link).display === "inline" ? parseFloat(getComputedStyle(link).lineHeight) || 0 : 0;
    const high = Math.max(line, Math.min(...[...link.getClientRects()].map((rect) => rect.height)));
    if (high < TOUCH) faults.push(`${named(link)} is a link of ${high} pixels' height`);
    const cell = link.closest("td").getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(link);
    const lines = [...words.getClientRects()].filter((rect) => rect.width > 1);
    if (new Set(lines.map((rect) => rect.top)).size > 2) faults.push(`${named(link)} breaks into more than two lines`);
    if (lines.some((rect) => rect.left < cell.left + 1 || rect.right > cell.right - 1))
      faults.push(`${named(link)} has no room at its sides`);
  }
  return faults;
})()
