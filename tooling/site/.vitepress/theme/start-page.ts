import { useData, withBase } from 'vitepress';
import { defineComponent, h, onMounted, onUnmounted } from 'vue';

/** The part of the configuration that the start page shows. */
export interface Shown {
  readonly readers: readonly {
    readonly name: string;
    readonly about: string;
    readonly first: readonly { readonly text: string; readonly link: string }[];
  }[];
}

/** For each reader the pages to begin with. */
export const startPage = defineComponent(() => {
  const { theme } = useData<Shown>();
  // This is the only page without a main part.
  const content = () => document.getElementById('VPContent');
  onMounted(() => content()?.setAttribute('role', 'main'));
  onUnmounted(() => content()?.removeAttribute('role'));
  return () =>
    h(
      'div',
      { class: 'readers' },
      theme.value.readers.map(({ name, about, first }) =>
        h('section', { class: 'reader' }, [
          h('h2', name),
          h('p', about),
          h(
            'ol',
            first.map(({ text, link }) => h('li', h('a', { href: withBase(link) }, text))),
          ),
        ]),
      ),
    );
});
