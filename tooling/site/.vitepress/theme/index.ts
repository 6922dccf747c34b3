import '@fontsource-variable/atkinson-hyperlegible-mono';
import '@fontsource-variable/atkinson-hyperlegible-next';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import './brand.css';
import { startPage } from './start-page.js';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-after': () => h(startPage) }),
};
