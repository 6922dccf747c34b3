ALTER TABLE `partners` ADD `tokens_valid_after_ms` bigint DEFAULT 0 NOT NULL;
