ALTER TABLE `partners` ADD `tokens_valid_after_ms` integer DEFAULT 0 NOT NULL;
