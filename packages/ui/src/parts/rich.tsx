import { Fragment, type ReactNode } from 'react';

/**
 * Puts elements into a message, which names them like tags: `New here? <register>Create an account</register>`. Tags are
 * never markup: a tag without an element is shown as its text.
 */
export function rich(
  text: string,
  elements: Readonly<Record<string, (inner: string) => ReactNode>>,
): ReactNode {
  return text.split(/(<(\w+)>.*?<\/\2>)/).flatMap((part, index, parts): ReactNode[] => {
    // Each match is followed by the name that it captured.
    if (index % 3 === 2) return [];
    if (index % 3 === 0) return [part];
    const name = parts[index + 1] ?? '';
    const inner = part.slice(name.length + 2, -name.length - 3);
    return [<Fragment key={name}>{elements[name]?.(inner) ?? inner}</Fragment>];
  });
}
