import { expect, it } from 'vitest';
import { closedHtml } from '../../../src/notebook/export/closed-html.js';

it.each([
  '<table class="a"><tr><td>7<td style="color: red">8</table><p>a<br>b<p><img src="data:,"/>',
  "<div title='a > b'><a href=//x.y?a=b>c</a></div> 1 &lt; 2",
  '<svg viewBox="0 0 1 1"><path d="M0,0"/></svg>',
])('leaves %s as it is, beside the page', (html) => {
  expect(closedHtml(html)).toEqual({ text: html, isApart: false });
});

it.each([
  ['<b>1</b><!-- all that', '<b>1</b>&lt;!-- all that'],
  ['a <!-- b --> c', 'a  c'],
  ['<i title="a>b', '&lt;i title="a>b'],
  ['<b a=b= "><!--" >1</b>', '&lt;b a=b= ">1</b>'],
  ['<textarea>1 <b>', '<textarea>1 &lt;b></textarea>'],
  ['<svg><style><!--</style></svg>', '<svg><style>\\3c !--</style></svg>'],
  ['<plaintext>1</template>2<template>', '<inert-plaintext>1</inert-template>2<inert-template>'],
  ['<script>if (1 < 2) "</b>"</script>', '<script></script>'],
  ['1 < 2 </ 3', '1 &lt; 2 &lt;/ 3'],
])('closes what %s leaves open', (html, text) => {
  expect(closedHtml(html).text).toBe(text);
});

it.each([
  '<style>main{display:none}</style>',
  '<b style="position:fixed;inset:0">1</b>',
  '<b style="p\\6fsition:fixed">1</b>',
  '</div></main>1',
  '<div hidden>1',
  '<dialog open>1</dialog>',
])('sets %s apart', (html) => {
  expect(closedHtml(html).isApart).toBe(true);
});
